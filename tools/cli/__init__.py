"""The subcommands of `tamale`, one file each, and what they share."""
