package web

import (
	"io"

	"levy/contract"
	"levy/models"
)

// acknowledge takes the acknowledgement of a state that a person has from its web site.
func (c *Console) acknowledge(v *pageRequest) error {
	file, err := v.uploadedDocument()
	var content []byte
	if err == nil {
		content, err = io.ReadAll(file.Content)
	}
	if err == nil {
		_, err = v.session.AcknowledgeFiling(v.Context(), contract.AcknowledgeFilingRequest{
			FilingID: v.PathValue("id"), Body: contract.FilingAcknowledgement{Content: string(content)},
		})
	}
	if refused, ok := correctable(err); ok {
		return c.showFiling(v, filingPage{}, refused)
	}
	if err != nil {
		return err
	}
	return v.goToOwn("filings", v.PathValue("id"))
}

// File returns the field for that file.
func (filingPage) File() field { return fileOf("Acknowledgement", ".xml") }

// Acknowledged reports whether a state may acknowledge the return by a file of its web site.
func (p filingPage) Acknowledged() bool {
	return p.ReturnLayout != nil && models.IsSimplifiedLayout(*p.ReturnLayout)
}
