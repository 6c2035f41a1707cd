package client

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
)

// UploadExemptionAttachment stores a document with an exemption: a PDF, a PNG or a JPEG of at most 10 MiB. The service
// finds the type by the content. filename is the name that people see.
func (c *Client) UploadExemptionAttachment(
	ctx context.Context, exemptionID, filename string, content []byte, options ...CallOption,
) (StoredAttachment, error) {
	var answer StoredAttachment
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", filename)
	if err == nil {
		_, err = part.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return answer, fmt.Errorf("levy: encode form: %w", err)
	}
	body := payload{contentType: w.FormDataContentType(), content: form.Bytes()}
	target := path("/v1/exemptions/{exemption_id}/attachments", exemptionID)
	err = c.carry(ctx, http.MethodPost, target, body, &answer, options)
	return answer, err
}
