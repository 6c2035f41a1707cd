package api

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"

	"levy/contract"
	"levy/models"
)

// UploadExemptionAttachment stores a document with an exemption.
func (s *Server) UploadExemptionAttachment(
	ctx context.Context, r contract.UploadExemptionAttachmentRequest,
) (contract.StoredAttachment, error) {
	call := callOf(ctx)
	content, err := call.file.Bytes()
	if err != nil {
		return contract.StoredAttachment{}, err
	}
	sum := sha256.Sum256(content)
	a := models.Attachment{
		ID: models.NewID(models.PrefixAttachment), ExemptionID: r.ExemptionID, Filename: call.file.Name,
		ContentType: call.file.Type,
		Size:        int64(len(content)), SHA256: sum[:], CreatedAt: instant(s.now()),
	}
	key, wrapped := s.deps.Vault.NewRecordKey(call.scope.OrganizationID, a.ID)
	a.MasterKeyID, a.Wrapped = &wrapped.MasterKeyID, wrapped.Wrapped
	upload := models.AttachmentUpload{Attachment: &a, Content: content, Key: key}
	err = s.deps.Exemptions.CreateAttachment(ctx, call.scope, call.actor(), upload)
	return answered(a, err, storedAttachmentAnswer)
}

// ListExemptionAttachments lists the documents of an exemption.
func (s *Server) ListExemptionAttachments(
	ctx context.Context, r contract.ListExemptionAttachmentsRequest,
) (contract.StoredAttachmentList, error) {
	attachments, err := s.deps.Exemptions.ListAttachments(ctx, callOf(ctx).scope, r.ExemptionID)
	if err != nil {
		return nil, err
	}
	return convertAll(attachments, storedAttachmentAnswer), nil
}

// GetExemptionAttachment writes a document as it was stored, while it is read.
func (s *Server) GetExemptionAttachment(
	ctx context.Context, r contract.GetExemptionAttachmentRequest, out contract.Stream,
) error {
	a, err := s.deps.Exemptions.Attachment(ctx, callOf(ctx).scope, r.ExemptionID, r.AttachmentID)
	if err != nil {
		return err
	}
	file := contract.Content{Type: a.ContentType, Name: a.Filename}
	return s.outputs.download(ctx, out, file, func(ctx context.Context, to *bufio.Writer) error {
		return s.deps.Exemptions.WriteAttachment(ctx, callOf(ctx).scope, s.deps.Vault, a, to)
	})
}

func storedAttachmentAnswer(a models.Attachment) contract.StoredAttachment {
	return contract.StoredAttachment{
		ID: a.ID, RelatedEntityID: a.ExemptionID,
		RelatedEntityType: contract.StoredAttachmentRelatedEntityTypeEXEMPTION,
		Filename:          a.Filename, ContentType: a.ContentType, Size: a.Size, Sha256: hex.EncodeToString(a.SHA256),
		CreatedAt: instant(a.CreatedAt),
	}
}
