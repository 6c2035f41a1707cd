package feed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// mostMentions is the number of comments that the list of a person has.
const mostMentions = 100

// ListComments lists the comments of a record.
func (o *Operations) ListComments(ctx context.Context, r contract.ListCommentsRequest) (contract.CommentList, error) {
	c, on := call.Of(ctx), models.CommentSubject{Type: r.ObjectType, ID: r.ObjectID}
	if err := o.deps.Work.CommentSubjectExists(ctx, c.Scope, on); err != nil {
		return contract.CommentList{}, err
	}
	all, err := o.deps.Work.ListComments(ctx, c.Scope, on)
	return contract.CommentList{Items: convert.ConvertAll(all, func(each models.Comment) contract.Comment {
		return commentAnswer(c, &each)
	})}, err
}

// CreateComment adds a comment of the person to a record.
func (o *Operations) CreateComment(ctx context.Context, r contract.CreateCommentRequest) (contract.Comment, error) {
	c, on := call.Of(ctx), models.CommentSubject{Type: r.ObjectType, ID: r.ObjectID}
	if err := o.deps.Work.CommentSubjectExists(ctx, c.Scope, on); err != nil {
		return contract.Comment{}, err
	}
	if c.Person == nil {
		return contract.Comment{}, onlyPeopleComment()
	}
	text := strings.TrimSpace(r.Body.Text)
	faults := checkText(text)
	mentions, err := o.checkMentions(ctx, c, r.Body.Mentions, &faults)
	if err != nil {
		return contract.Comment{}, err
	}
	if faults != nil {
		return contract.Comment{}, &models.InvalidError{Faults: faults}
	}
	created, err := o.deps.Work.CreateComment(ctx, c.Scope, c.Actor(), on, text, mentions)
	if err != nil {
		return contract.Comment{}, err
	}
	return commentAnswer(c, &created), nil
}

// checkMentions returns the ids without repetitions. It adds a fault for each that is no colleague.
func (o *Operations) checkMentions(ctx context.Context, c *call.Call, ids []string, faults *[]models.Fault) (mentions []string, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	colleagues, err := o.deps.Work.Colleagues(ctx, c.Visibility(), []string{c.Scope.OrganizationID}, c.IsStaff())
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		// guard: comments: a comment waits for people who see its record
		if !slices.ContainsFunc(colleagues, func(each models.Colleague) bool { return each.ID == id }) {
			*faults = append(*faults, models.Fault{Code: models.FieldNotFound, Path: fmt.Sprintf("mentions[%d]", i),
				Message: "No such person sees this organization."})
			continue
		}
		if !slices.Contains(mentions, id) {
			mentions = append(mentions, id)
		}
	}
	return mentions, nil
}

// checkText returns the fault of a text of blanks.
func checkText(text string) []models.Fault {
	if text == "" {
		return []models.Fault{{Code: models.FieldTooShort, Path: "text", Message: "text must not be blank."}}
	}
	return nil
}

// UpdateComment corrects or withdraws a comment of the person.
func (o *Operations) UpdateComment(ctx context.Context, r contract.UpdateCommentRequest) (contract.Comment, error) {
	c := call.Of(ctx)
	if c.Person == nil {
		_, err := o.deps.Work.Comment(ctx, c.Scope, r.CommentID) // an unknown one is answered before the refusal
		if err == nil {
			err = onlyPeopleComment()
		}
		return contract.Comment{}, err
	}
	change := models.CommentChange{Text: strings.TrimSpace(r.Body.Text), Withdraw: r.Body.Withdrawn}
	if change.Withdraw == (r.Body.Text != "") {
		return contract.Comment{}, problem.Invalid(models.FieldMissing, "text", "Send text to correct the comment, or withdrawn to withdraw it.")
	}
	if !change.Withdraw {
		if faults := checkText(change.Text); faults != nil {
			return contract.Comment{}, &models.InvalidError{Faults: faults}
		}
	}
	changed, err := o.deps.Work.ChangeComment(ctx, c.Scope, c.Actor(), r.CommentID, change)
	if errors.Is(err, models.ErrForbidden) {
		err = problem.New(problem.CodeForbiddenForKey, "Only its author changes a comment, and not after it was withdrawn.")
	}
	if err != nil {
		return contract.Comment{}, err
	}
	return commentAnswer(c, &changed), nil
}

// ListColleagues lists the people who see the organizations of the request.
func (o *Operations) ListColleagues(ctx context.Context, r contract.ListColleaguesRequest) (contract.ColleagueList, error) {
	c, organizations := call.Of(ctx), r.Params.OrganizationIDIn
	if len(organizations) == 0 && c.Scope.OrganizationID != "" {
		organizations = []string{c.Scope.OrganizationID}
	}
	all, err := o.deps.Work.Colleagues(ctx, c.Visibility(), append([]string{}, organizations...), c.IsStaff())
	return contract.ColleagueList{Items: convert.ConvertAll(all, func(each models.Colleague) contract.Colleague {
		return contract.Colleague{
			OrganizationID: each.OrganizationID, ID: each.ID, Name: each.Name, Side: contract.ColleagueSide(each.Side), MayAct: each.Acts,
		}
	})}, err
}

// ListMentions lists the comments that wait for the person.
func (o *Operations) ListMentions(ctx context.Context, _ contract.ListMentionsRequest) (contract.MentionList, error) {
	c := call.Of(ctx)
	if c.Person == nil {
		return contract.MentionList{}, onlyPeopleComment()
	}
	all, err := o.deps.Work.ListMentions(ctx, c.Visibility(), c.Person.ID, mostMentions)
	return contract.MentionList{Items: convert.ConvertAll(all, func(m models.CommentMention) contract.Mention {
		return contract.Mention{
			CommentID: m.CommentID, OrganizationID: m.OrganizationID, OrganizationName: m.OrganizationName,
			ObjectType: contract.CommentSubjectType(m.Subject.Type), ObjectID: m.Subject.ID, AuthorName: m.AuthorName, Text: m.Text,
			CreatedAt: convert.Instant(m.At),
		}
	})}, err
}

// EndMention ends that a comment waits for the person.
func (o *Operations) EndMention(ctx context.Context, r contract.EndMentionRequest) (contract.MentionList, error) {
	c := call.Of(ctx)
	if c.Person == nil {
		return contract.MentionList{}, onlyPeopleComment()
	}
	if err := o.deps.Work.EndMention(ctx, c.Actor(), r.CommentID); err != nil {
		return contract.MentionList{}, err
	}
	return o.ListMentions(ctx, contract.ListMentionsRequest{})
}

func onlyPeopleComment() error {
	return problem.New(problem.CodeForbiddenForKey, "Only a person with a session has comments.")
}

func commentAnswer(c *call.Call, from *models.Comment) contract.Comment {
	person := func(p models.Colleague) contract.CommentPerson { return contract.CommentPerson{ID: p.ID, Name: p.Name} }
	answer := contract.Comment{
		ID: from.ID, ObjectType: contract.CommentSubjectType(from.Subject.Type), ObjectID: from.Subject.ID,
		Author: person(from.Author), Text: from.Text(), CreatedAt: convert.Instant(from.CreatedAt),
		MayChange: c.Person != nil && c.Person.ID == from.Author.ID && from.WithdrawnAt == nil,
		Mentions:  convert.ConvertAll(from.Mentions, person),
		Versions: convert.ConvertAll(from.Versions, func(v models.CommentVersion) contract.CommentVersion {
			return contract.CommentVersion{Text: v.Text, CreatedAt: convert.Instant(v.CreatedAt)}
		}),
	}
	if from.WithdrawnAt != nil {
		at := convert.Instant(*from.WithdrawnAt)
		answer.WithdrawnAt = &at
	}
	return answer
}
