from engine.ingest import Source
from engine.library import Library
from pages.widgets.services import overriding_variables
from tests.pages.page_texts import texts_of

LLM = "http://127.0.0.1:9/v1"


def button(app, label):
    return next(item for item in app.button if item.label == label)


def fill(app, base, key="", name=""):
    app.text_input[0].set_value(base)
    app.text_input[1].set_value(key)
    app.text_input[2].set_value(name)
    return app


def test_a_model_is_saved_and_its_key_is_never_shown_again(shelf: Library, open_page):
    app = fill(open_page("settings"), LLM, "sk-very-secret", "tiny")
    button(app, "Save").click().run()
    assert shelf.settings.llm.api_base == LLM and shelf.settings.llm.api_key == "sk-very-secret"
    app = open_page("settings")
    assert "sk-very-secret" not in texts_of(app)
    assert all("sk-very-secret" not in (field.value or "") for field in app.text_input)
    assert "In use: tiny" in texts_of(app)


def test_a_saved_key_stays_with_its_address(shelf: Library, open_page):
    shelf.update_settings({"llm.api_base": LLM, "llm.api_key": "sk-very-secret"})
    app = fill(open_page("settings"), LLM, "", "tiny")
    button(app, "Save").click().run()
    assert shelf.settings.llm.api_key == "sk-very-secret"
    app = fill(open_page("settings"), "http://127.0.0.1:10/v1", "", "tiny")
    button(app, "Save").click().run()
    assert shelf.settings.llm.api_key == ""


def test_the_test_button_says_what_is_wrong_and_saves_nothing(shelf: Library, open_page):
    app = fill(open_page("settings"), LLM)
    button(app, "Test").click().run(timeout=90)
    assert app.warning
    assert not shelf.settings.llm.configured


def test_a_model_can_be_removed(shelf: Library, open_page):
    shelf.update_settings({"llm.api_base": LLM, "llm.api_key": "sk-very-secret", "llm.model": "tiny"})
    button(open_page("settings"), "Remove model").click().run()
    assert not shelf.settings.llm.configured


def test_the_health_of_the_library_is_shown_on_request(shelf: Library, open_page):
    shelf.add([Source("note.md", b"# Harvest\n\nNine tons of apples.\n")])
    app = open_page("settings")
    app.button(key="settings.health").click().run()
    assert "checks" in texts_of(app)


def test_variables_that_win_over_the_form_are_named():
    environ = {"OPENAI_API_KEY": "x", "DROPQA_LLM__MODEL": "y", "PATH": "z", "OPENAI_MODEL": ""}
    assert overriding_variables(environ) == ["DROPQA_LLM__MODEL", "OPENAI_API_KEY"]
