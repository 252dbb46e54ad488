from pages.widgets.own_address import ask_nobody
from pages.widgets.shell import main

ask_nobody()
main()
