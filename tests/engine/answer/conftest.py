"""Being here puts the makers of evidence beside it on the path of the tests below."""
