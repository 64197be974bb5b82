"""Arrays of other libraries, in place where their layout is one of ours; imported when used."""
