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
	target := path("/v1/exemptions/{exemption_id}/attachments", exemptionID)
	err := c.upload(ctx, target, filename, content, &answer, options)
	return answer, err
}

// UploadNoticeDocument stores a letter with a notice: a PDF, a PNG or a JPEG of at most 10 MiB. The service finds the type by
// the content. filename is the name that people see.
func (c *Client) UploadNoticeDocument(
	ctx context.Context, noticeID, filename string, content []byte, options ...CallOption,
) (NoticeDocument, error) {
	var answer NoticeDocument
	err := c.upload(ctx, path("/v1/notices/{notice_id}/documents", noticeID), filename, content, &answer, options)
	return answer, err
}

// upload sends a file as a form.
func (c *Client) upload(
	ctx context.Context, target, filename string, content []byte, answer any, options []CallOption,
) error {
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
		return fmt.Errorf("levy: encode form: %w", err)
	}
	return c.carry(ctx, http.MethodPost, target, payload{contentType: w.FormDataContentType(), content: form.Bytes()}, answer, options)
}
