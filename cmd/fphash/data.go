package main

import "github.com/spf13/cobra"

func newData() *cobra.Command {
	command := &cobra.Command{
		Use:   "data",
		Short: "Describe, generate and count data sets",
	}
	command.AddCommand(newDataInfo(), newDataGenerate(), newDataFrequencies())
	return command
}
