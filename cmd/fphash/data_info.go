package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"simhashkit/datasets"
)

func newDataInfo() *cobra.Command {
	var reading vectorReading
	command := &cobra.Command{
		Use:   "info DATA",
		Short: "Describe a data set: rows, features, indices, duplicates, weights",
		Long: `info describes a data set. DATA is a file of vectors (fphash help formats); files:DIR or
files:ARCHIVE.tar.gz, whose features are the 8-byte windows of the files; or go-source,
a sample of the files of the Go installation.

A file of vectors is read one vector at a time. Memory is about 60 bytes for each
distinct row and 40 for each distinct index.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			info, description, err := datasets.Describe[float64](cmd.Context(), args[0], datasets.ReadOptions{Base: reading.base, MaxLine: reading.maxLine()})
			if err != nil {
				return err
			}
			return writeInfo(cmd.OutOrStdout(), description, info)
		},
	}
	reading.add(command.Flags())
	return command
}

func writeInfo(w io.Writer, description string, info datasets.Info) error {
	weights := "real numbers"
	switch {
	case !info.Weighted:
		weights = "none (unit)"
	case info.OneWeights:
		weights = "all 1"
	case info.WholeWeights:
		weights = "whole numbers"
	}
	return writeFacts(w, description+"\n", []fact{
		{"rows", info.Rows},
		{"empty rows", info.EmptyRows},
		{"exact duplicates of an earlier row", info.DuplicateRows},
		{"features (nnz)", info.NNZ},
		{"features of a row: least", info.MinNNZ},
		{"median", info.MedianNNZ},
		{"mean", fmt.Sprintf("%.1f", info.MeanNNZ)},
		{"most", info.MaxNNZ},
		{"distinct indices", info.DistinctIndices},
		{"greatest index", info.MaxIndex},
		{"weights", weights},
	})
}

func newData() *cobra.Command {
	command := &cobra.Command{
		Use:   "data",
		Short: "Describe, convert, generate and count data sets",
	}
	command.AddCommand(newDataInfo(), newDataConvert(), newDataGenerate(), newDataFrequencies())
	return command
}
