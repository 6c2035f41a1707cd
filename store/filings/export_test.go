package filings

// ClaimRegular claims the lines of a regular return, SumReturnLines adds them up.
var (
	ClaimRegular   = claimRegular
	SumReturnLines = sumReturnLines
)
