package dev.holdfast.aws.documents;

import dev.holdfast.documents.DocumentHead;

/** A document as it is stored, and the id of its content; empty where there is no content of ours. */
public record StoredDocument(DocumentHead head, String content) {}
