package web

// status is how the installation is, in words.
type status struct {
	Lines []struct {
		Subject string `json:"subject"`
		Text    string `json:"text"`
	} `json:"lines"`
	Advice []string `json:"advice"`
}

// operations shows staff how the installation is.
func (c *Console) operations(v *visit) error {
	var found status
	if err := v.get("/v1/status", "", &found); err != nil {
		return err
	}
	return v.show("operations", "Operations", found)
}
