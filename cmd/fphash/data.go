package main

import "github.com/spf13/cobra"

func newData() *cobra.Command {
	command := &cobra.Command{
		Use:   "data",
		Short: "Describe and generate data sets",
	}
	command.AddCommand(newDataInfo(), newDataGenerate())
	return command
}
