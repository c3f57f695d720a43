"""Prints the similarity hashes of iscc_core for generated digests and byte strings, and then those of
the standard's test vectors that the package contains."""
import json
import sys

import iscc_core
from iscc_core import code_meta

similarity, blake3 = iscc_core.alg_simhash, code_meta.blake3

for line in open(sys.argv[1], encoding="utf-8"):
    case = json.loads(line)
    digests = [bytes.fromhex(d) for d in case.get("digests", [])] or [blake3(bytes.fromhex(f)).digest() for f in case["features"]]
    print(similarity(digests).hex())

hashed, calls = {}, []  # byte strings by digest; digests and their similarity hashes


def recorded_blake3(data):
    result = blake3(data)
    hashed[result.digest()] = data
    return result


def recorded_similarity(digests):
    result = similarity(digests)
    calls.append((list(digests), result))
    return result


iscc_core.alg_simhash, code_meta.blake3 = recorded_similarity, recorded_blake3
with open(iscc_core.__path__[0] + "/data.json", encoding="utf-8") as file:
    vectors = json.load(file)
for function, cases in vectors.items():
    if function not in ("gen_meta_code_v0", "gen_audio_code_v0", "gen_mixed_code_v0"):
        continue  # the others need no similarity hash
    for name, case in cases.items():
        calls.clear()
        code = getattr(iscc_core, function)(*case["inputs"])["iscc"]
        assert code == case["outputs"]["iscc"], (function, name)
        for digests, result in calls:
            features = [hashed[d].hex() for d in digests] if function == "gen_meta_code_v0" else []
            print(json.dumps({"vector": function + " " + name, "digests": [d.hex() for d in digests], "features": features, "hash": result.hex()}))
