package pg

// AssigneeSince is the part of an upsert of exception_notes, named w, that sets since when an exception has its assignee, and
// by whom. It changes neither if the assignee stays.
const AssigneeSince = `
	assigned_at = CASE WHEN w.assignee IS DISTINCT FROM excluded.assignee THEN excluded.assigned_at ELSE w.assigned_at END,
	assigned_by = CASE WHEN w.assignee IS DISTINCT FROM excluded.assignee THEN excluded.assigned_by ELSE w.assigned_by END`
