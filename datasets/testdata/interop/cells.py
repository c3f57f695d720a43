"""Prints the cells of matrices, as scipy and scikit-learn read them: file, row, column, bits."""
import os
import sys

import numpy
import scipy.io
import scipy.sparse
import sklearn.datasets

for path in sys.argv[1:]:
    if path.endswith(".npz"):
        matrix = scipy.sparse.load_npz(path)
    elif path.endswith(".mtx"):
        matrix = scipy.io.mmread(path)
    else:
        matrix = sklearn.datasets.load_svmlight_file(path, zero_based=True)[0]
    matrix = matrix.tocoo()
    for row, column, value in sorted(zip(matrix.row.tolist(), matrix.col.tolist(), matrix.data.tolist())):
        print(f"{os.path.basename(path)}\t{row}\t{column}\t{numpy.float64(value).view(numpy.uint64):016x}")
