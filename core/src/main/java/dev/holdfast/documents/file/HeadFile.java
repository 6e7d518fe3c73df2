package dev.holdfast.documents.file;

import dev.holdfast.documents.AttributeText;
import dev.holdfast.documents.DocumentHead;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is in the file beside a document: a line {@code name=value} for each thing we know, an empty line, and a line for each attribute.
 *
 * @param head of the document
 * @param sha256 of its content
 */
record HeadFile(DocumentHead head, String sha256) {
    private static final String FORMAT = "1";

    byte[] bytes() {
        Map<String, String> known = new TreeMap<>();
        known.put("holdfast-document", FORMAT);
        known.put("name", head.name());
        known.put("tag", head.tag());
        known.put("size", Long.toString(head.size()));
        known.put("sha256", sha256);
        return (AttributeText.of(known) + "\n" + AttributeText.of(head.attributes()))
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** @throws IllegalArgumentException if these are not the bytes of one, or those of a newer format */
    static HeadFile read(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.US_ASCII);
        int end = text.indexOf("\n\n");
        if (end < 0) {
            throw new IllegalArgumentException("its end is missing");
        }
        Map<String, String> known = AttributeText.read(text.substring(0, end + 1));
        if (!value(known, "holdfast-document").equals(FORMAT)) {
            throw new IllegalArgumentException("a newer Holdfast has written it; upgrade this process");
        }
        return new HeadFile(
                new DocumentHead(
                        value(known, "name"),
                        value(known, "tag"),
                        Long.parseLong(value(known, "size")),
                        AttributeText.read(text.substring(end + 2))),
                value(known, "sha256"));
    }

    private static String value(Map<String, String> known, String name) {
        return Optional.ofNullable(known.get(name))
                .orElseThrow(() -> new IllegalArgumentException("'" + name + "' is missing"));
    }
}
