-- Every table of the twin. Times are GitHub's text form; JSON only where GitHub's own is free.

-- people
CREATE TABLE IF NOT EXISTS users (
    id INTEGER PRIMARY KEY AUTOINCREMENT, login TEXT NOT NULL UNIQUE COLLATE NOCASE,
    type TEXT NOT NULL, site_admin INTEGER NOT NULL, name TEXT, email TEXT, created_at TEXT,
    plan TEXT);
CREATE TABLE IF NOT EXISTS tokens (
    token TEXT PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users, repo_id INTEGER,
    run_id INTEGER, permissions TEXT, expires REAL, scopes TEXT);
CREATE TABLE IF NOT EXISTS repos (
    id INTEGER PRIMARY KEY AUTOINCREMENT, owner_id INTEGER NOT NULL REFERENCES users,
    name TEXT NOT NULL COLLATE NOCASE, private INTEGER NOT NULL, description TEXT, homepage TEXT,
    default_branch TEXT NOT NULL, settings TEXT NOT NULL, last_number INTEGER NOT NULL DEFAULT 0,
    archived INTEGER NOT NULL DEFAULT 0, created_at TEXT, updated_at TEXT, pushed_at TEXT,
    UNIQUE (owner_id, name));
CREATE TABLE IF NOT EXISTS planted (what TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS collaborators (
    repo_id INTEGER NOT NULL REFERENCES repos ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users, role TEXT NOT NULL, PRIMARY KEY (repo_id, user_id));
CREATE TABLE IF NOT EXISTS protections (
    repo_id INTEGER NOT NULL REFERENCES repos ON DELETE CASCADE, branch TEXT NOT NULL,
    rules TEXT NOT NULL, PRIMARY KEY (repo_id, branch));
CREATE TABLE IF NOT EXISTS rulesets (
    id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER NOT NULL REFERENCES repos ON DELETE CASCADE,
    name TEXT NOT NULL, target TEXT NOT NULL, enforcement TEXT NOT NULL, bypass TEXT NOT NULL,
    conditions TEXT NOT NULL, rules TEXT NOT NULL, created_at TEXT, updated_at TEXT,
    UNIQUE (repo_id, name));

-- issues
CREATE TABLE IF NOT EXISTS labels (
    id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER NOT NULL REFERENCES repos ON DELETE CASCADE,
    name TEXT NOT NULL COLLATE NOCASE, color TEXT NOT NULL, description TEXT,
    standard INTEGER NOT NULL DEFAULT 0, UNIQUE (repo_id, name));
CREATE TABLE IF NOT EXISTS milestones (
    id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER NOT NULL REFERENCES repos ON DELETE CASCADE,
    number INTEGER NOT NULL, title TEXT NOT NULL, description TEXT, state TEXT NOT NULL,
    creator_id INTEGER, due_on TEXT, created_at TEXT, updated_at TEXT, closed_at TEXT,
    UNIQUE (repo_id, number));
CREATE TABLE IF NOT EXISTS issues (
    id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER NOT NULL REFERENCES repos ON DELETE CASCADE,
    number INTEGER NOT NULL, title TEXT NOT NULL, body TEXT, user_id INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'open', state_reason TEXT, locked INTEGER NOT NULL DEFAULT 0,
    lock_reason TEXT, milestone_id INTEGER REFERENCES milestones ON DELETE SET NULL,
    comments INTEGER NOT NULL DEFAULT 0, is_pull INTEGER NOT NULL DEFAULT 0,
    parent_id INTEGER, position INTEGER, closed_by INTEGER, created_at TEXT, updated_at TEXT,
    closed_at TEXT, UNIQUE (repo_id, number));
CREATE INDEX IF NOT EXISTS issue_parents ON issues (parent_id);
CREATE TABLE IF NOT EXISTS issue_labels (
    issue_id INTEGER NOT NULL REFERENCES issues ON DELETE CASCADE,
    label_id INTEGER NOT NULL REFERENCES labels ON DELETE CASCADE, PRIMARY KEY (issue_id, label_id));
CREATE TABLE IF NOT EXISTS assignees (
    issue_id INTEGER NOT NULL REFERENCES issues ON DELETE CASCADE, user_id INTEGER NOT NULL,
    PRIMARY KEY (issue_id, user_id));
CREATE TABLE IF NOT EXISTS comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER NOT NULL, user_id INTEGER NOT NULL,
    issue_id INTEGER NOT NULL REFERENCES issues ON DELETE CASCADE, body TEXT NOT NULL,
    created_at TEXT, updated_at TEXT);
CREATE INDEX IF NOT EXISTS comments_of ON comments (issue_id, id);
CREATE TABLE IF NOT EXISTS reactions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, subject_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL, content TEXT NOT NULL, created_at TEXT,
    UNIQUE (kind, subject_id, content, user_id));
CREATE TABLE IF NOT EXISTS timeline (
    id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER NOT NULL,
    issue_id INTEGER NOT NULL REFERENCES issues ON DELETE CASCADE, event TEXT NOT NULL,
    actor_id INTEGER, commit_id TEXT, more TEXT NOT NULL DEFAULT '{}', created_at TEXT);
CREATE INDEX IF NOT EXISTS timeline_of ON timeline (issue_id, id);

-- code
CREATE TABLE IF NOT EXISTS pulls (
    id INTEGER PRIMARY KEY REFERENCES issues ON DELETE CASCADE, repo_id INTEGER NOT NULL,
    head_ref TEXT NOT NULL, head_sha TEXT NOT NULL, base_ref TEXT NOT NULL, base_sha TEXT NOT NULL,
    draft INTEGER NOT NULL DEFAULT 0, mergeable INTEGER, merged_at TEXT, merged_by INTEGER,
    merge_sha TEXT);
CREATE INDEX IF NOT EXISTS pulls_of ON pulls (repo_id, head_ref);
CREATE TABLE IF NOT EXISTS reviewers (
    issue_id INTEGER NOT NULL REFERENCES issues ON DELETE CASCADE, user_id INTEGER NOT NULL,
    PRIMARY KEY (issue_id, user_id));
CREATE TABLE IF NOT EXISTS reviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT, issue_id INTEGER NOT NULL REFERENCES issues ON DELETE CASCADE,
    user_id INTEGER NOT NULL, body TEXT NOT NULL, state TEXT NOT NULL, commit_id TEXT NOT NULL,
    submitted_at TEXT);
CREATE TABLE IF NOT EXISTS review_comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT, issue_id INTEGER NOT NULL REFERENCES issues ON DELETE CASCADE,
    review_id INTEGER REFERENCES reviews ON DELETE CASCADE, user_id INTEGER NOT NULL, body TEXT NOT NULL,
    path TEXT NOT NULL, line INTEGER, side TEXT, start_line INTEGER, start_side TEXT,
    position INTEGER NOT NULL, diff_hunk TEXT NOT NULL, commit_id TEXT NOT NULL, in_reply_to_id INTEGER, subject_type TEXT,
    created_at TEXT, updated_at TEXT);
CREATE TABLE IF NOT EXISTS statuses (
    id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER NOT NULL, sha TEXT NOT NULL,
    state TEXT NOT NULL, description TEXT, target_url TEXT, context TEXT NOT NULL,
    creator_id INTEGER NOT NULL, created_at TEXT);
CREATE INDEX IF NOT EXISTS statuses_of ON statuses (repo_id, sha);
CREATE TABLE IF NOT EXISTS suites (
    id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER NOT NULL, head_sha TEXT NOT NULL,
    head_branch TEXT, created_at TEXT);
CREATE TABLE IF NOT EXISTS checks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER NOT NULL, head_sha TEXT NOT NULL,
    suite_id INTEGER NOT NULL REFERENCES suites, name TEXT NOT NULL, status TEXT NOT NULL,
    conclusion TEXT, external_id TEXT, details_url TEXT, title TEXT, summary TEXT, text TEXT,
    started_at TEXT, completed_at TEXT);
CREATE INDEX IF NOT EXISTS checks_of ON checks (repo_id, head_sha);
CREATE TABLE IF NOT EXISTS annotations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, check_id INTEGER NOT NULL REFERENCES checks ON DELETE CASCADE,
    path TEXT, start_line INTEGER, end_line INTEGER, start_column INTEGER, end_column INTEGER,
    annotation_level TEXT, title TEXT, message TEXT, raw_details TEXT);
CREATE TABLE IF NOT EXISTS releases (
    id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER NOT NULL, tag_name TEXT NOT NULL,
    target TEXT NOT NULL, name TEXT, body TEXT, draft INTEGER, prerelease INTEGER,
    author_id INTEGER NOT NULL, created_at TEXT, published_at TEXT);
CREATE TABLE IF NOT EXISTS assets (
    id INTEGER PRIMARY KEY AUTOINCREMENT, release_id INTEGER NOT NULL REFERENCES releases ON DELETE CASCADE,
    name TEXT NOT NULL, label TEXT, content_type TEXT NOT NULL, content BLOB NOT NULL,
    uploader_id INTEGER NOT NULL, created_at TEXT);

-- events
CREATE TABLE IF NOT EXISTS hooks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER NOT NULL REFERENCES repos ON DELETE CASCADE,
    active INTEGER NOT NULL, events TEXT NOT NULL, url TEXT NOT NULL, content_type TEXT NOT NULL,
    secret TEXT, last_code INTEGER, last_status TEXT NOT NULL DEFAULT 'unused', created_at TEXT,
    updated_at TEXT);
CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER NOT NULL, name TEXT NOT NULL, action TEXT,
    payload TEXT NOT NULL, actor_id INTEGER, ref TEXT, sha TEXT, silent INTEGER NOT NULL DEFAULT 0,
    told INTEGER NOT NULL DEFAULT 0, created_at TEXT);
CREATE INDEX IF NOT EXISTS untold ON events (told, id);
CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, hook_id INTEGER NOT NULL REFERENCES hooks ON DELETE CASCADE,
    guid TEXT NOT NULL, event TEXT NOT NULL, action TEXT, payload TEXT NOT NULL,
    redelivery INTEGER NOT NULL, status TEXT NOT NULL, code INTEGER NOT NULL, duration REAL,
    request_headers TEXT NOT NULL, response_body TEXT, delivered_at TEXT);
CREATE TABLE IF NOT EXISTS due (
    id INTEGER PRIMARY KEY AUTOINCREMENT, hook_id INTEGER NOT NULL REFERENCES hooks ON DELETE CASCADE,
    guid TEXT NOT NULL, event TEXT NOT NULL, action TEXT, payload TEXT NOT NULL,
    redelivery INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS due_of ON due (hook_id, id);

-- actions
CREATE TABLE IF NOT EXISTS workflows (
    id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER NOT NULL REFERENCES repos ON DELETE CASCADE,
    path TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'active', runs INTEGER DEFAULT 0,
    created_at TEXT, updated_at TEXT, UNIQUE (repo_id, path));
CREATE TABLE IF NOT EXISTS runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER NOT NULL, workflow_id INTEGER NOT NULL,
    number INTEGER NOT NULL, attempt INTEGER NOT NULL DEFAULT 1, title TEXT NOT NULL,
    event TEXT NOT NULL, status TEXT NOT NULL, conclusion TEXT, actor_id INTEGER NOT NULL,
    branch TEXT, head_sha TEXT NOT NULL, file_sha TEXT NOT NULL, payload TEXT NOT NULL,
    inputs TEXT NOT NULL DEFAULT '{}', suite_id INTEGER, concurrency TEXT, created_at TEXT,
    started_at TEXT, updated_at TEXT, triggering TEXT);
CREATE INDEX IF NOT EXISTS runs_of ON runs (repo_id, id);
CREATE INDEX IF NOT EXISTS open_runs ON runs (status) WHERE status != 'completed';
CREATE TABLE IF NOT EXISTS jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    attempt INTEGER NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, status TEXT NOT NULL,
    conclusion TEXT, environment TEXT, check_id INTEGER, matrix TEXT NOT NULL DEFAULT '{}',
    outputs TEXT NOT NULL DEFAULT '{}', steps TEXT NOT NULL DEFAULT '[]', log TEXT NOT NULL DEFAULT '',
    concurrency TEXT, created_at TEXT,
    started_at TEXT, completed_at TEXT);
CREATE INDEX IF NOT EXISTS jobs_of ON jobs (run_id);
CREATE TABLE IF NOT EXISTS artifacts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER NOT NULL,
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, name TEXT NOT NULL,
    content BLOB NOT NULL, created_at TEXT, expires_at TEXT);
CREATE TABLE IF NOT EXISTS environments (
    id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER NOT NULL REFERENCES repos ON DELETE CASCADE,
    name TEXT NOT NULL COLLATE NOCASE, wait_timer INTEGER NOT NULL DEFAULT 0,
    prevent_self_review INTEGER NOT NULL DEFAULT 0, reviewers TEXT NOT NULL DEFAULT '[]',
    branch_policy TEXT, created_at TEXT, updated_at TEXT, UNIQUE (repo_id, name));
CREATE TABLE IF NOT EXISTS branch_policies (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    environment_id INTEGER NOT NULL REFERENCES environments ON DELETE CASCADE,
    name TEXT NOT NULL, type TEXT NOT NULL, UNIQUE (environment_id, name, type));
CREATE TABLE IF NOT EXISTS approvals (
    id INTEGER PRIMARY KEY AUTOINCREMENT, run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    attempt INTEGER NOT NULL, environments TEXT NOT NULL, state TEXT NOT NULL,
    user_id INTEGER NOT NULL, comment TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS deployments (
    id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER NOT NULL, sha TEXT NOT NULL,
    ref TEXT NOT NULL, task TEXT NOT NULL, payload TEXT NOT NULL, environment TEXT NOT NULL,
    description TEXT, creator_id INTEGER NOT NULL, transient INTEGER NOT NULL,
    production INTEGER NOT NULL, job_id INTEGER, created_at TEXT, updated_at TEXT);
CREATE TABLE IF NOT EXISTS deployment_statuses (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    deployment_id INTEGER NOT NULL REFERENCES deployments ON DELETE CASCADE, state TEXT NOT NULL,
    description TEXT NOT NULL, target_url TEXT NOT NULL, environment_url TEXT NOT NULL,
    creator_id INTEGER NOT NULL, created_at TEXT);
CREATE TABLE IF NOT EXISTS variables (
    repo_id INTEGER NOT NULL REFERENCES repos ON DELETE CASCADE, environment TEXT NOT NULL COLLATE NOCASE,
    name TEXT NOT NULL, value TEXT NOT NULL, created_at TEXT, updated_at TEXT,
    PRIMARY KEY (repo_id, environment, name));
CREATE TABLE IF NOT EXISTS secrets (
    repo_id INTEGER NOT NULL REFERENCES repos ON DELETE CASCADE, environment TEXT NOT NULL COLLATE NOCASE,
    name TEXT NOT NULL, sealed TEXT NOT NULL, created_at TEXT, updated_at TEXT,
    PRIMARY KEY (repo_id, environment, name));
CREATE TABLE IF NOT EXISTS keys (repo_id INTEGER PRIMARY KEY, private TEXT NOT NULL);
