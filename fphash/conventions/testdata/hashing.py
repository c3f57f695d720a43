"""Hashes features with scikit-learn, Vowpal Wabbit and datasketch. Each line of the file is a case."""
import json
import sys

for line in open(sys.argv[1], encoding="utf-8"):
    case = json.loads(line)
    features = case["features"]
    if sys.argv[2] == "sklearn":
        from sklearn.feature_extraction import FeatureHasher

        hasher = FeatureHasher(n_features=case["size"], input_type="string")
        rows = hasher.transform([[f] for f in features]).tocoo()
        print(" ".join(f"{int(s)}:{c}" for _, c, s in sorted(zip(rows.row, rows.col, rows.data))))
    elif sys.argv[2] == "vowpalwabbit":
        from vowpalwabbit import Workspace

        vw = Workspace(f"--quiet -b {case['size']}")
        space = vw.hash_space(case["namespace"])
        print(" ".join(str(vw.hash_feature(f, space)) for f in features))
        vw.finish()
    else:
        from datasketch import MinHash

        sketch = MinHash(num_perm=case["size"], seed=case["seed"])
        sketch.update_batch([f.encode() for f in features])
        print(" ".join(str(v) for v in sketch.hashvalues))
