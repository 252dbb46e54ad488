from streamlit.testing.v1 import AppTest


def texts_of(app: AppTest) -> str:
    """Return what the page says, markdown marks and all."""
    kinds = (
        app.title,
        app.subheader,
        app.markdown,
        app.caption,
        app.text,
        app.error,
        app.warning,
        app.success,
    )
    return "\n".join(str(element.value) for kind in kinds for element in kind)
