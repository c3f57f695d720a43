"""Prints for each character the word characters of its lower case, and whether it is a word character
itself. Of the 100,000 letters without case, it uses only some."""
import re
import sys
import unicodedata

WORD = r"[\w\u4e00-\u9fcc]"


def lowered(text):
    return "".join(re.findall(WORD, text.lower())).encode().hex() or "-"


for number in range(sys.maxunicode + 1):
    c = chr(number)
    category = unicodedata.category(c)
    if category in ("Cs", "Cn", "Co") or category == "Lo" and number % 41:
        continue
    print(number, lowered(c), int(re.match(WORD, c) is not None), lowered("aΣ" + c + "b"), lowered("a" + c + "Σ"))
