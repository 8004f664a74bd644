"""Builds the package for pip (PEP 517): a wheel of the files in `src`. The version is that of the interface."""
from __future__ import annotations

import base64
import hashlib
import re
import tomllib
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None,
) -> str:
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    name = project["name"]
    found = re.search(r'^VERSION = "(.+)"$', (HERE / "src" / name / "_operations.py").read_text(), re.MULTILINE)
    assert found
    version = found[1]
    info = f"{name}-{version}.dist-info"
    files = {
        path.relative_to(HERE / "src").as_posix(): path.read_bytes()
        for path in sorted((HERE / "src").rglob("*")) if path.suffix == ".py" or path.name == "py.typed"
    }
    metadata = [
        "Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", f"Summary: {project['description']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Classifier: {each}" for each in project["classifiers"]), "Description-Content-Type: text/markdown",
    ]
    files[f"{info}/METADATA"] = ("\n".join(metadata) + "\n\n" + (HERE / "README.md").read_text()).encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: startline\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = [
        f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')},{len(data)}"
        for path, data in files.items()
    ]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    wheel = f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            # With the same time always, so that the same files give the same wheel.
            archive.writestr(zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return wheel
