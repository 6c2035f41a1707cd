package catalog

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

// UploadExemptionAttachment stores a document with an exemption.
func (o *Operations) UploadExemptionAttachment(
	ctx context.Context, r contract.UploadExemptionAttachmentRequest,
) (contract.StoredAttachment, error) {
	c := call.Of(ctx)
	content, err := c.File.Bytes()
	if err != nil {
		return contract.StoredAttachment{}, err
	}
	sum := sha256.Sum256(content)
	a := models.Attachment{
		ID: models.NewID(models.PrefixAttachment), ExemptionID: r.ExemptionID, Filename: c.File.Name,
		ContentType: c.File.Type,
		Size:        int64(len(content)), SHA256: sum[:], CreatedAt: convert.Instant(o.now()),
	}
	key, wrapped := o.deps.Vault.NewRecordKey(c.Scope.OrganizationID, a.ID)
	a.MasterKeyID, a.Wrapped = &wrapped.MasterKeyID, wrapped.Wrapped
	upload := models.AttachmentUpload{Attachment: &a, Content: content, Key: key}
	err = o.deps.Exemptions.CreateAttachment(ctx, c.Scope, c.Actor(), upload)
	return convert.Answered(a, err, storedAttachmentAnswer)
}

// ListExemptionAttachments lists the documents of an exemption.
func (o *Operations) ListExemptionAttachments(
	ctx context.Context, r contract.ListExemptionAttachmentsRequest,
) (contract.StoredAttachmentList, error) {
	attachments, err := o.deps.Exemptions.ListAttachments(ctx, call.Of(ctx).Scope, r.ExemptionID)
	if err != nil {
		return nil, err
	}
	return convert.ConvertAll(attachments, storedAttachmentAnswer), nil
}

// GetExemptionAttachment sends a stored document while it reads it.
func (o *Operations) GetExemptionAttachment(
	ctx context.Context, r contract.GetExemptionAttachmentRequest, out contract.Stream,
) error {
	a, err := o.deps.Exemptions.Attachment(ctx, call.Of(ctx).Scope, r.ExemptionID, r.AttachmentID)
	if err != nil {
		return err
	}
	file := contract.Content{Type: a.ContentType, Name: a.Filename}
	return o.outputs.Download(ctx, out, file, func(ctx context.Context, to *bufio.Writer) error {
		return o.deps.Exemptions.WriteAttachment(ctx, call.Of(ctx).Scope, o.deps.Vault, a, to)
	})
}

func storedAttachmentAnswer(a models.Attachment) contract.StoredAttachment {
	return contract.StoredAttachment{
		ID: a.ID, RelatedEntityID: a.ExemptionID,
		RelatedEntityType: contract.StoredAttachmentRelatedEntityTypeEXEMPTION,
		Filename:          a.Filename, ContentType: a.ContentType, Size: a.Size, Sha256: hex.EncodeToString(a.SHA256),
		CreatedAt: convert.Instant(a.CreatedAt),
	}
}
