"""Questions about the documents themselves: what one is about, which mention something, which there are."""
