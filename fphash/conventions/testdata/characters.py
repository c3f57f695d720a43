"""Prints of each character what str.lower makes of it that belongs to words, and whether it does
itself. Of letters without cases, of which there are 100,000, it takes some."""
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
