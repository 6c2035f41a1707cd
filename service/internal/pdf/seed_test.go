package pdf_test

import _ "levy/test/seed" // what is drawn is the same in every run of `make test`
