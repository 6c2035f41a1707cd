"""Builds the package with the standard library alone: no network, and the same bytes each time.

It is the build backend that pyproject.toml names (PEP 517), so pip and other builders call it.
"""

import base64
import gzip
import hashlib
import io
import os
import pathlib
import tarfile
import time
import tomllib
import zipfile
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NAME = f"{PROJECT['name'].replace('-', '_')}-{PROJECT['version']}"
INFORMATION = NAME + ".dist-info"
# The time of all files, in seconds since 1970. An archive of zip has none before 1980.
TIME = max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800)


def metadata() -> bytes:
    """What an index shows of the package."""
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {PROJECT['name']}",
        f"Version: {PROJECT['version']}",
        f"Summary: {PROJECT['description']}",
        f"License-Expression: {PROJECT['license']}",
        *(f"License-File: {file}" for file in PROJECT["license-files"]),
        *(f"Classifier: {classifier}" for classifier in PROJECT["classifiers"]),
        f"Requires-Python: {PROJECT['requires-python']}",
        "Description-Content-Type: text/markdown",
    ]
    readme = ROOT / str(PROJECT["readme"])
    return "\n".join(lines).encode() + b"\n\n" + readme.read_bytes()


def sources() -> dict[str, bytes]:
    """The files of the package, by their paths."""
    found = [path for path in (ROOT / "levy_client").iterdir() if path.suffix == ".py" or path.name == "py.typed"]
    return {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in found}


def licences() -> dict[str, bytes]:
    """The licences of the package, by their names."""
    return {file: (ROOT / file).read_bytes() for file in PROJECT["license-files"]}


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    """Writes the wheel into a folder and returns its name."""
    files = sources()
    files |= {f"{INFORMATION}/licenses/{name}": content for name, content in licences().items()}
    files[INFORMATION + "/METADATA"] = metadata()
    files[INFORMATION + "/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: levy\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = INFORMATION + "/RECORD"
    lines = []
    for name, content in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}\n")
    files[record] = ("".join(lines) + record + ",,\n").encode()
    name = NAME + "-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        # The list of files comes last, as the format recommends.
        for path in sorted(files, key=lambda path: (path.startswith(INFORMATION), path == record, path)):
            entry = zipfile.ZipInfo(path, time.gmtime(TIME)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, on every system
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, files[path])
    return name


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    """Writes the sources into a folder and returns the name of their archive."""
    files = sources() | licences()
    for name in ("README.md", "pyproject.toml", "backend.py"):
        files[name] = (ROOT / name).read_bytes()
    files["PKG-INFO"] = metadata()
    name = NAME + ".tar.gz"
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, content in sorted(files.items()):
            entry = tarfile.TarInfo(f"{NAME}/{path}")
            entry.size, entry.mtime, entry.mode = len(content), TIME, 0o644
            archive.addfile(entry, io.BytesIO(content))
    (pathlib.Path(sdist_directory) / name).write_bytes(gzip.compress(plain.getvalue(), mtime=TIME))
    return name
