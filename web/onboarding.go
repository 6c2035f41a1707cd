package web

// onboardingPage is what the page of the onboardings is rendered from.
type onboardingPage struct {
	Base  string // path of the page and its assets
	Steps []step
}

// step is one of the eight steps, as people read it.
type step struct {
	Number int
	Label  string
}

var steps = []step{
	{1, "Organization"},
	{2, "API key"},
	{3, "Details"},
	{4, "Address"},
	{5, "Information"},
	{6, "Contact"},
	{7, "Owners"},
	{8, "Bank account"},
}
