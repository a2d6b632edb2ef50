import os


def load(defaults):
    """环境变量优先于配置文件，配置文件优先于默认值。"""
    values = dict(defaults)
    for key in values:
        if f"APP_{key.upper()}" in os.environ:
            values[key] = os.environ[f"APP_{key.upper()}"]
    return values
