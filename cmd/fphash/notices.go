package main

import (
	"io"

	"github.com/spf13/cobra"

	"simhashkit/cmd/fphash/notices"
)

func newNotices() *cobra.Command {
	return &cobra.Command{
		Use:   "notices",
		Short: "Print the licences of built-in data and modules",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), notices.Text)
			return err
		},
	}
}
