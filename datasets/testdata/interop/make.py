"""Writes small matrices with scipy and scikit-learn into a folder.

With them goes cells.tsv: file, row, column and the bits of the value of each cell, as these
libraries read the file back themselves. Used by TestReadsPython and, where they are installed,
by TestPythonNow; the files beside this script are its output with scipy 1.17.1 and
scikit-learn 1.9.1.
"""
import os
import sys

import numpy
import scipy.sparse
import sklearn.datasets

folder = sys.argv[1]
cells = open(os.path.join(folder, "cells.tsv"), "w")


def note(name, matrix):
    matrix = matrix.tocoo()
    matrix.sum_duplicates()
    found = sorted((int(r), int(c), float(v)) for r, c, v in zip(matrix.row, matrix.col, matrix.data) if v != 0)
    for row, column, value in found:
        cells.write(f"{name}\t{row}\t{column}\t{numpy.float64(value).view(numpy.uint64):016x}\n")


def npz(name, matrix, compressed=True):
    path = os.path.join(folder, name)
    scipy.sparse.save_npz(path, matrix, compressed=compressed)
    note(name, scipy.sparse.load_npz(path))


def svm(name, matrix, **options):
    path = os.path.join(folder, name)
    sklearn.datasets.dump_svmlight_file(matrix, numpy.arange(matrix.shape[0]), path, **options)
    note(name, sklearn.datasets.load_svmlight_file(path, zero_based=options["zero_based"])[0])


rows = numpy.array([0, 0, 0, 2, 2, 3, 5])
columns = numpy.array([0, 3, 70000, 1, 2, 69999, 0])
values = numpy.array([0.1, -5e-324, 1.7976931348623157e308, 0.1 + 0.2, -1 / 3, 2.2250738585072014e-308, 1e22])
shape = (7, 70001)
matrix = scipy.sparse.csr_matrix((values, (rows, columns)), shape=shape)
small = scipy.sparse.csr_matrix((numpy.float32([0.1, -1e-45, 3.4028235e38, 1 / 3, 7, 8, 9]), (rows, columns)), shape=shape)
whole = scipy.sparse.csr_matrix((numpy.int64([1, -2, 2**53, -(2**40), 5, 6, 7]), (rows, columns)), shape=shape)

npz("float64.npz", matrix)
npz("stored.npz", matrix, compressed=False)
npz("float32.npz", small)
npz("int64.npz", whole)
npz("int8.npz", scipy.sparse.csr_matrix((numpy.int8([1, -128, 127, 4, 5, 6, 7]), (rows, columns)), shape=shape))
npz("bool.npz", matrix.astype(bool))
npz("array.npz", scipy.sparse.csr_array(matrix))
big = scipy.sparse.csr_matrix((values, (rows, columns + 2**40)), shape=(7, 2**41))  # indices of 64 bits
npz("wide.npz", big)
disorder = scipy.sparse.csr_matrix((numpy.array([1.5, 2.5, 4.0]), numpy.array([9, 3, 9]), numpy.array([0, 3])), shape=(1, 10))
npz("disorder.npz", disorder)
npz("empty.npz", scipy.sparse.csr_matrix((3, 4)))
half = matrix * 0.5  # the largest float, with the 16 digits that scikit-learn writes, is infinite
svm("zero.svm", half, zero_based=True)
svm("one.svm", half, zero_based=False)
