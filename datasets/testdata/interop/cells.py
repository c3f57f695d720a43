"""Prints the cells of svmlight files, as scikit-learn reads them: file, row, column, bits."""
import os
import sys

import numpy
import sklearn.datasets

for path in sys.argv[1:]:
    matrix = sklearn.datasets.load_svmlight_file(path, zero_based=True)[0].tocoo()
    for row, column, value in sorted(zip(matrix.row.tolist(), matrix.col.tolist(), matrix.data.tolist())):
        print(f"{os.path.basename(path)}\t{row}\t{column}\t{numpy.float64(value).view(numpy.uint64):016x}")
