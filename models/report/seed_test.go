package report_test

import _ "levy/test/seed" // `make test` draws the same numbers in every run
