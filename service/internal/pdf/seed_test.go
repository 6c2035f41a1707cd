package pdf_test

import _ "levy/test/seed" // all runs of `make test` print the same
