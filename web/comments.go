package web

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"

	"levy/contract"
	"levy/models"
)

// comments are what people wrote about the record of a page.
type comments struct {
	Items []comment
	May   bool    // the person may write
	New   []field // the form of a new comment
}

// comment is a comment with the form that corrects it.
type comment struct {
	contract.Comment
	Correct []field // without fields if the person may not change it
	Sent    bool    // the form that corrects it was refused
}

// Earlier returns the texts that the comment had before; all of them if it was withdrawn.
func (c comment) Earlier() []contract.CommentVersion {
	if c.WithdrawnAt != nil {
		return c.Versions
	}
	return c.Versions[:max(0, len(c.Versions)-1)]
}

// Actions of the forms of comments.
const (
	addComment      = "comment"
	correctComment  = "correct_comment"
	withdrawComment = "withdraw_comment"
)

func commentField(id, label, value string) field {
	return as(id, field{Name: "text", Label: label, Kind: "lines", Required: true, Max: 2000, Value: value})
}

// comments reads the comments of the record of a page.
func (v *pageRequest) comments(objectType, objectID string) (comments, error) {
	page := comments{May: v.user.may(v.org, models.RolePreparer)}
	list, err := v.session.ListComments(v.Context(), contract.ListCommentsRequest{ObjectType: objectType, ObjectID: objectID})
	if err = v.optional("the comments", err); err != nil {
		return page, err
	}
	for i, each := range list.Items {
		c := comment{Comment: each}
		if each.MayChange {
			c.Correct = []field{commentField("correct-"+strconv.Itoa(i), "Your comment", each.Text)}
			if c.Sent = v.fault != nil && v.PostFormValue("comment_id") == each.ID; c.Sent {
				c.Correct = v.inputs(v.PostFormValue("action"), c.Correct...)
			}
			c.Correct[0].Native = true
		}
		page.Items = append(page.Items, c)
	}
	if !page.May {
		return page, nil
	}
	colleagues, err := v.colleagues(v.org)
	if err = v.optional("who can be asked", err); err != nil {
		return page, err
	}
	var people []option
	for _, p := range colleagues[v.org] {
		if p.ID != v.user.User.ID {
			people = append(people, option{p.ID, p.Name})
		}
	}
	page.New = []field{commentField("comment", "Comment", "")}
	if people != nil {
		mention := field{Name: "mention", Label: "For", Kind: "select", Options: people, Blank: "everyone"}
		page.New = append(page.New, hinted(mention, "The person finds it on the home page"))
	}
	page.New = v.inputs(addComment, page.New...)
	return page, nil
}

// colleagues reads the people who see organizations, by organization. An organization that the person does not see has
// none.
func (v *pageRequest) colleagues(organizations ...string) (map[string][]contract.Colleague, error) {
	found, err := v.session.In(v.Context(), "").ListColleagues(v.Context(), contract.ListColleaguesRequest{
		Params: contract.ListColleaguesParams{OrganizationIDIn: organizations}})
	of := map[string][]contract.Colleague{}
	for _, each := range found.Items {
		of[each.OrganizationID] = append(of[each.OrganizationID], each)
	}
	return of, err
}

// assigneeField returns the list of people who may act on records of an organization, by name. present is who has the task
// now, who may act no longer.
func assigneeField(name, label, present string, people []contract.Colleague) field {
	var names []option
	for _, p := range people {
		if p.MayAct && !slices.Contains(names, option{p.Name, p.Name}) {
			names = append(names, option{p.Name, p.Name})
		}
	}
	return field{Name: name, Label: label, Kind: "select", Options: names, Blank: "no one", Unlisted: true, Value: present}
}

// withComments returns the handler of the forms of a page whose record has comments. The last part of its path is the id
// of the record; for pages of an organization, it is the organization.
func (c *Console) withComments(objectType string, send handler) handler {
	return func(v *pageRequest) error {
		switch action := v.PostFormValue("action"); action {
		case addComment:
			return v.comment(objectType)
		case correctComment, withdrawComment:
			return v.changeComment(action)
		}
		return send(v)
	}
}

// comment adds a comment to the record of the page.
func (v *pageRequest) comment(objectType string) error {
	body := contract.CommentCreate{Text: v.PostFormValue("text")}
	if of := v.PostFormValue("mention"); of != "" {
		body.Mentions = []string{of}
	}
	_, err := v.session.CreateComment(v.Context(), contract.CreateCommentRequest{
		ObjectType: objectType, ObjectID: cmp.Or(v.PathValue("id"), v.org), Body: body})
	return v.goBack(err)
}

// changeComment corrects or withdraws a comment of the person.
func (v *pageRequest) changeComment(action string) error {
	body := contract.CommentUpdate{Withdrawn: action == withdrawComment}
	if !body.Withdrawn {
		body.Text = v.PostFormValue("text")
	}
	_, err := v.session.UpdateComment(v.Context(), contract.UpdateCommentRequest{CommentID: v.PostFormValue("comment_id"), Body: body})
	return v.goBack(err)
}

// mentionLine is a comment that waits for the person, on the home page.
type mentionLine struct{ contract.Mention }

// Link returns the address of the record with the comment.
func (m mentionLine) Link() string {
	at := "/o/" + url.PathEscape(m.OrganizationID)
	if string(m.ObjectType) != models.CommentOnOrganization {
		at += "/" + string(m.ObjectType) + "s/" + url.PathEscape(m.ObjectID)
	}
	return at + "#comments"
}

// About returns the type of the record in words.
func (m mentionLine) About() string {
	return map[string]string{
		models.CommentOnTransaction: "a transaction", models.CommentOnFiling: "a return", models.CommentOnNotice: "a notice",
		models.CommentOnRegistration: "a registration", models.CommentOnOrganization: "the organization",
	}[string(m.ObjectType)]
}

// mentions reads the comments that wait for the person.
func (v *pageRequest) mentions() ([]mentionLine, error) {
	list, err := v.session.In(v.Context(), "").ListMentions(v.Context(), contract.ListMentionsRequest{})
	lines := make([]mentionLine, len(list.Items))
	for i, each := range list.Items {
		lines[i] = mentionLine{each}
	}
	return lines, v.optional("comments for you", err)
}

// changeHome ends that a comment waits for the person.
func (c *Console) changeHome(v *pageRequest) error {
	if v.PostFormValue("action") != "done_with" {
		return unknownAction()
	}
	_, err := v.session.In(v.Context(), "").EndMention(v.Context(), contract.EndMentionRequest{CommentID: v.PostFormValue("comment_id")})
	return v.goBack(err)
}
