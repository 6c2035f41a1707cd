package work

// BackTax is the tax of a registration r from before its returns.
const BackTax = backTax

// SelectExceptions are all exceptions.
var SelectExceptions = exceptions

// CountFiguresAgain is CountFigures after some organizations have failed.
var CountFiguresAgain = (*Store).countFigures

// SetReportSlice changes how many rows an export of a report reads at once, until the result is called.
func SetReportSlice(n int) (restore func()) {
	before := reportSlice
	reportSlice = n
	return func() { reportSlice = before }
}

// AmountAskedFor returns the amount that a text of a search is; "" for none.
func AmountAskedFor(text string) string { return askedFor(text).amount }
