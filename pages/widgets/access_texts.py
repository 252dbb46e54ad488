# ruff: noqa: E501
"""The texts of signing in and of a library that is shared, in English and Chinese."""

# fmt: off
ACCESS: dict[str, tuple[str, str]] = {
    "access.title": ("Sign in to this library", "登录此资料库"),
    "access.password": ("Password", "密码"),
    "access.in": ("Sign in", "登录"),
    "access.out": ("Sign out", "退出登录"),
    "access.wrong": ("This is not the password.", "密码不正确。"),
    "access.wait": ("Too many wrong passwords. Try again in {minutes} min.", "密码错误次数过多，请在 {minutes} 分钟后重试。"),
    "access.oidc": ("Your organisation says who you are; this app never sees your password.", "由您的组织确认身份，本应用不会接触您的密码。"),
    "access.not_allowed": ("{name} may not open this library. Ask whoever runs it.", "{name} 无权打开此资料库，请联系管理员。"),
    "access.read_only": ("This library is shared for reading: search and ask, but nothing can be changed here.", "此资料库以只读方式共享：可以检索和提问，但不能修改。"),
}
# fmt: on
