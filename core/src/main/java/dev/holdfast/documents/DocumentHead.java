package dev.holdfast.documents;

import java.util.Map;

/**
 * What is known of a document without its content.
 *
 * @param name its name
 * @param tag changes with every write of it, never to one it had before
 * @param size of its content, in bytes
 * @param attributes what its writer said about it
 */
public record DocumentHead(String name, String tag, long size, Map<String, String> attributes) {
    public DocumentHead {
        attributes = Map.copyOf(attributes);
    }
}
