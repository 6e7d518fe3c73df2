package dev.holdfast.state.store;

import dev.holdfast.documents.Content;
import dev.holdfast.state.document.DeployerChecksums;
import dev.holdfast.state.document.DocumentScan;
import dev.holdfast.state.document.StateInvalidException;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateTooLargeException;
import java.util.concurrent.ForkJoinPool;

/** Bytes that may be kept: within the limit, and JSON that is what it says it is. */
public record DocumentToSave(Content content, DocumentScan scan) {
    /** From here on, hashing takes longer than to let another thread do it. */
    private static final int LARGE = 1 << 18;

    public static DocumentToSave checked(Stack stack, byte[] bytes, long limit) {
        if (bytes.length > limit) {
            throw new StateTooLargeException(stack, bytes.length, limit);
        }
        Content content = Content.of(bytes);
        if (bytes.length >= LARGE) {
            ForkJoinPool.commonPool().execute(content::sha256); // while it is scanned; whoever needs it first makes it
        }
        DocumentScan scan = DocumentScan.of(bytes);
        DeployerChecksums.problem(bytes, scan).ifPresent(problem -> {
            throw new StateInvalidException("State of stack '" + stack + "' contradicts itself: " + problem);
        });
        return new DocumentToSave(content, scan);
    }
}
