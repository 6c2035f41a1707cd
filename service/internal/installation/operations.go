package installation

import (
	"context"
	"fmt"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// GetStatus returns the state of the whole installation to staff.
func (o *Operations) GetStatus(ctx context.Context, _ contract.GetStatusRequest) (contract.InstallationStatus, error) {
	if !call.Of(ctx).IsStaff() {
		return contract.InstallationStatus{}, models.ErrForbidden
	}
	status, err := o.deps.Status(models.AcrossOrganizations(ctx))
	if err != nil {
		return contract.InstallationStatus{}, err
	}
	return contract.InstallationStatus{
		Lines: append(convert.ConvertAll(status.Lines,
			func(l models.StatusLine) contract.StatusLine { return contract.StatusLine(l) }), o.noisiest()...),
		Advice: status.Advice,
		Alarms: convert.ConvertAll(status.Alarms, func(a models.Alarm) contract.Alarm {
			return contract.Alarm{
				Name: a.Name, Severity: a.Severity, Summary: a.Summary, After: a.After, Runbook: a.Runbook,
				Entry: a.Entry,
			}
		}),
		AlarmsElsewhere: convert.NotNil(status.AlarmsElsewhere),
	}, nil
}

// noisiestShown is how many organizations are shown that use the API the most.
const noisiestShown = 5

// noisiest names the organizations whose calls took the most time in the last minute, in all processes.
func (o *Operations) noisiest() (lines []contract.StatusLine) {
	ids, counts := o.calls.Noisiest(noisiestShown)
	for _, id := range ids {
		n := counts[id]
		lines = append(lines, contract.StatusLine{Subject: "noisy organization", Text: fmt.Sprintf(
			"%s: %d calls in the last minute, %d refused, under way for %.1f s together", id, n.Calls, n.Refused, n.Busy.Seconds(),
		)})
	}
	return lines
}

// GetContentChanges returns to staff the rates that another version of the tax content changes.
func (o *Operations) GetContentChanges(
	ctx context.Context, _ contract.GetContentChangesRequest,
) (contract.ContentChanges, error) {
	if !call.Of(ctx).IsStaff() {
		return contract.ContentChanges{}, models.ErrForbidden
	}
	found, err := o.deps.ContentChanges(models.AcrossOrganizations(ctx))
	if err != nil {
		return contract.ContentChanges{}, err
	}
	return contract.ContentChanges{
		InForce: found.InForce, From: found.From, To: found.To, Total: found.Total,
		Changes: convert.ConvertAll(found.Changes, contentChangeAnswer), BoundaryStates: convert.NotNil(found.States),
	}, nil
}

func contentChangeAnswer(c models.ContentChange) contract.ContentChange {
	answer := contract.ContentChange{
		State: c.State, Jurisdiction: c.Jurisdiction, TaxClass: convert.Optional(c.Class), Old: convert.Optional(c.Old),
		New: convert.Optional(c.New), From: convert.DayOf(c.From),
	}
	if c.Until != nil {
		answer.Until = new(convert.DayOf(*c.Until))
	}
	return answer
}

// holdersShown is how many keys and codes an answer lists.
const holdersShown = 1000

// GetMasterKeys returns to staff what needs each master key of the installation.
func (o *Operations) GetMasterKeys(ctx context.Context, _ contract.GetMasterKeysRequest) (contract.MasterKeys, error) {
	if !call.Of(ctx).IsStaff() {
		return contract.MasterKeys{}, models.ErrForbidden
	}
	found, err := o.deps.MasterKeys(models.AcrossOrganizations(ctx))
	if err != nil {
		return contract.MasterKeys{}, err
	}
	return contract.MasterKeys{
		Keys:    convert.ConvertAll(found.Keys, masterKeyAnswer),
		Holders: convert.ConvertAll(found.Holders[:min(len(found.Holders), holdersShown)], holderAnswer),
		Total:   len(found.Holders),
	}, nil
}

func masterKeyAnswer(k models.NeededMasterKey) contract.MasterKey {
	return contract.MasterKey{
		ID: k.ID, Newest: k.Newest, Retired: k.RetiredAt != nil, Lost: k.Lost, Behind: k.Behind,
		Needs: convert.ConvertAll(k.Needs, func(n models.MasterKeyNeedInWords) contract.MasterKeyNeed {
			return contract.MasterKeyNeed{What: n.What, Count: n.Count, Remedy: n.Remedy, Until: n.Until}
		}),
	}
}

func holderAnswer(h models.MasterKeyHolder) contract.MasterKeyHolder {
	return contract.MasterKeyHolder{
		MasterKey: convert.Optional(h.MasterKeyID), Kind: string(h.Kind), OrganizationID: convert.Optional(h.OrganizationID),
		OrganizationName: convert.Optional(h.OrganizationName), ID: h.ID, Name: convert.Optional(h.Name), LastUsedAt: h.LastUsedAt,
		ExpiresAt: h.ExpiresAt,
	}
}
