"""What every backend shares: a library as rows of one SQL database, and one generation of it in memory."""
