package notices

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// UploadNoticeDocument stores a letter with a notice.
func (o *Operations) UploadNoticeDocument(
	ctx context.Context, r contract.UploadNoticeDocumentRequest,
) (contract.NoticeDocument, error) {
	c := call.Of(ctx)
	content, err := c.File.Bytes()
	if err != nil {
		return contract.NoticeDocument{}, err
	}
	sum := sha256.Sum256(content)
	d := models.NoticeDocument{
		ID: models.NewID(models.PrefixNoticeDocument), NoticeID: r.NoticeID, Filename: c.File.Name, ContentType: c.File.Type,
		Size: int64(len(content)), SHA256: sum[:], CreatedAt: convert.Instant(o.now()),
	}
	err = o.deps.Notices.CreateDocument(ctx, c.Scope, c.Actor(), &d, content)
	return convert.Answered(d, err, documentAnswer)
}

// GetNoticeDocument sends a letter while it reads it.
func (o *Operations) GetNoticeDocument(ctx context.Context, r contract.GetNoticeDocumentRequest, out contract.Stream) error {
	scope := call.Of(ctx).Scope
	d, err := o.deps.Notices.Document(ctx, scope, r.NoticeID, r.DocumentID)
	if err != nil {
		return err
	}
	file := contract.Content{Type: d.ContentType, Name: d.Filename}
	return o.outputs.Download(ctx, out, file, func(ctx context.Context, to *bufio.Writer) error {
		return o.deps.Notices.WriteDocument(ctx, scope, d, to)
	})
}

func documentAnswer(d models.NoticeDocument) contract.NoticeDocument {
	return contract.NoticeDocument{
		ID: d.ID, NoticeID: d.NoticeID, Filename: d.Filename, ContentType: d.ContentType, Size: d.Size,
		Sha256: hex.EncodeToString(d.SHA256), CreatedAt: convert.Instant(d.CreatedAt),
	}
}
