package main

import "github.com/spf13/cobra"

func newData() *cobra.Command {
	command := &cobra.Command{
		Use:   "data",
		Short: "Describe, convert, generate and count data sets",
	}
	command.AddCommand(newDataInfo(), newDataConvert(), newDataGenerate(), newDataFrequencies())
	return command
}
