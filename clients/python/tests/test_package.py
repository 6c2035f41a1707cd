import hashlib
import pathlib
import tempfile
import unittest
import zipfile
from collections.abc import Callable

import backend


class PackageTest(unittest.TestCase):
    def test_the_same_bytes_twice(self) -> None:
        builds: list[Callable[[str], str]] = [backend.build_wheel, backend.build_sdist]
        for build in builds:
            sums = set()
            for _ in range(2):
                with tempfile.TemporaryDirectory() as folder:
                    content = (pathlib.Path(folder) / build(folder)).read_bytes()
                    sums.add(hashlib.sha256(content).hexdigest())
            self.assertEqual(len(sums), 1, build)

    def test_the_wheel_has_all_modules_with_their_types(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            with zipfile.ZipFile(pathlib.Path(folder) / backend.build_wheel(folder)) as wheel:
                names = set(wheel.namelist())
                record = wheel.read(backend.INFORMATION + "/RECORD").decode()
        modules = {f"levy_client/{path.name}" for path in (backend.ROOT / "levy_client").glob("*.py")}
        self.assertLessEqual(modules | {"levy_client/py.typed", backend.INFORMATION + "/licenses/LICENSE"}, names)
        self.assertEqual({line.split(",")[0] for line in record.splitlines()}, names)


if __name__ == "__main__":
    unittest.main()
