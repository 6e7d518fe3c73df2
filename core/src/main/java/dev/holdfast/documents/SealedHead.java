package dev.holdfast.documents;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stands in an attribute of an encrypted document, so that its head can be told without reading it: {@code 1 20000000 aes-…}.
 *
 * <p>The tag that is given out has it too. So a mark, which names the tag and replaces all attributes, keeps it without a further
 * look; and who replaces a document is known to have, or not to have, the key it is under.
 *
 * @param size of the content as it was before
 * @param keyId the master key it is under
 */
record SealedHead(long size, String keyId) {
    /** No document has another attribute of this name. */
    static final String ATTRIBUTE = "holdfast-sealed";

    private static final String FORMAT = "1";
    private static final String MARK = "~sealed ";
    private static final Pattern TEXT = Pattern.compile(FORMAT + " ([0-9]{1,18}) ([A-Za-z0-9._:-]{1,48})");

    String text() {
        return FORMAT + " " + size + " " + keyId;
    }

    private static Optional<SealedHead> read(String text) {
        Matcher found = TEXT.matcher(text);
        return found.matches()
                ? Optional.of(new SealedHead(Long.parseLong(found.group(1)), found.group(2)))
                : Optional.empty();
    }

    /** What a stored head says. */
    static Optional<SealedHead> of(DocumentHead stored) {
        return Optional.ofNullable(stored.attributes().get(ATTRIBUTE)).flatMap(SealedHead::read);
    }

    /** What a tag says that was given out. */
    static Optional<SealedHead> ofTag(String tag) {
        int mark = tag.lastIndexOf(MARK);
        return mark < 0 ? Optional.empty() : read(tag.substring(mark + MARK.length()));
    }

    /** The other store's own tag. */
    static String innerTag(String tag) {
        return ofTag(tag).isPresent() ? tag.substring(0, tag.lastIndexOf(MARK)) : tag;
    }

    /** A head as it is given out: as if nothing were encrypted. */
    static DocumentHead shown(DocumentHead stored) {
        Optional<SealedHead> sealed = of(stored);
        if (sealed.isEmpty()) {
            return stored;
        }
        Map<String, String> attributes = new TreeMap<>(stored.attributes());
        attributes.remove(ATTRIBUTE);
        String tag = stored.tag() + MARK + sealed.get().text();
        return new DocumentHead(stored.name(), tag, sealed.get().size(), attributes);
    }
}
