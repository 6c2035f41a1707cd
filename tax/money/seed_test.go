package money_test

import _ "levy/test/seed" // random values are the same in every run of `make test`
