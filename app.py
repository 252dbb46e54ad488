from pages.widgets.deployment import ask_nobody
from pages.widgets.shell import main

ask_nobody()
main()
