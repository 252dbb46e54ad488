from pages.widgets.shell import main

main()
