"""The lit test format: RUN lines in this process where possible, else in lit's shell."""

import os
import signal
from contextlib import chdir
from pathlib import Path

import lit.formats
import lit.Test
from run_lines import parse_script, run_script, warm_up


class InProcessTest(lit.formats.ShTest):
    """Like lit's ShTest, about thirty times faster for `tamale-opt ... | filecheck ...`."""

    def __init__(self):
        super().__init__(execute_external=False)
        warm_up()  # lit's workers are forks of this process and inherit the imports

    def execute(self, test, litConfig):
        """Runs one test file."""
        source = Path(test.getSourcePath())
        script = parse_script(source.read_text(encoding="utf-8"), source)
        if script is None or litConfig.noExecute or test.config.unsupported:
            return super().execute(test, litConfig)
        folder = Path(test.getExecPath()).parent
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with chdir(folder), _time_limit(test.config.maxIndividualTestTime):
                problem = run_script(script)
        except Expired as error:
            return lit.Test.Result(lit.Test.TIMEOUT, str(error))
        if problem is None:
            return lit.Test.Result(lit.Test.PASS)
        return lit.Test.Result(lit.Test.FAIL, problem)


class Expired(BaseException):
    """The test took too long; no `except Exception` on the way stops it."""


class _time_limit:
    """Raises Expired in the main thread after `seconds`; 0 is no limit."""

    def __init__(self, seconds):
        self.seconds = seconds if hasattr(signal, "setitimer") and os.name == "posix" else 0

    def __enter__(self):
        if self.seconds:
            self.previous = signal.signal(signal.SIGALRM, self._expire)
            signal.setitimer(signal.ITIMER_REAL, self.seconds)

    def __exit__(self, *exception):
        if self.seconds:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self.previous)

    def _expire(self, signum, frame):
        raise Expired(f"Reached timeout of {self.seconds} seconds")
