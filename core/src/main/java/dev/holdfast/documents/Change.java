package dev.holdfast.documents;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** A change of one document. */
public abstract sealed class Change {
    /** Most changes in one write. */
    public static final int MAX_CHANGES = 100;
    /** Most attributes of a document. */
    public static final int MAX_ATTRIBUTES = 32;
    /** Most characters in all attribute names and values of a document: what S3 keeps beside an object. */
    public static final int MAX_ATTRIBUTE_TEXT = 1_900;

    /** Characters that stores keep beside those: S3 takes 2 048 in all, of which a copy needs some. */
    static final int RESERVED = 96;

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");

    private final String name;
    private final Condition condition;

    private Change(String name, Condition condition) {
        this.name = DocumentNames.checked(name);
        this.condition = condition;
    }

    /** Writes content and attributes. The content is not copied: do not change it afterwards. */
    public static Put put(String name, Condition condition, byte[] content, Map<String, String> attributes) {
        return put(name, condition, Content.of(content), attributes);
    }

    /** The same, with bytes whose hash may be known already. */
    public static Put put(String name, Condition condition, Content content, Map<String, String> attributes) {
        return new Put(name, condition, content, checked(attributes));
    }

    /** With attributes that are ours, and not counted among those of the writer: stores have room for {@value #RESERVED} characters. */
    static Put put(
            String name,
            Condition condition,
            Content content,
            Map<String, String> attributes,
            Map<String, String> reserved) {
        return new Put(name, condition, content, with(checked(attributes), reserved));
    }

    /** The same for a mark. */
    static Mark mark(String name, String tag, Map<String, String> attributes, Map<String, String> reserved) {
        return new Mark(name, tag, with(checked(attributes), reserved));
    }

    private static Map<String, String> with(Map<String, String> attributes, Map<String, String> reserved) {
        Map<String, String> all = new TreeMap<>(attributes);
        for (Map.Entry<String, String> entry : reserved.entrySet()) {
            if (all.put(entry.getKey(), entry.getValue()) != null) {
                throw new IllegalArgumentException("attribute name '" + entry.getKey() + "' is reserved");
            }
        }
        return all;
    }

    /** Replaces the attributes of the document that has this tag, and keeps its content. */
    public static Mark mark(String name, String tag, Map<String, String> attributes) {
        return new Mark(name, tag, checked(attributes));
    }

    /** Deletes it. Deleting what is not there, without a condition, is no error. */
    public static Delete delete(String name, Condition condition) {
        return new Delete(name, condition);
    }

    /** Of which document. */
    public String name() {
        return name;
    }

    /** What must be so. */
    public Condition condition() {
        return condition;
    }

    private static Map<String, String> checked(Map<String, String> attributes) {
        int size = 0;
        for (Map.Entry<String, String> entry : attributes.entrySet()) {
            if (!NAME.matcher(entry.getKey()).matches()) {
                throw new IllegalArgumentException("attribute name '" + entry.getKey()
                        + "' must be 1 to 32 lower case letters, digits and '-', a letter first");
            }
            if (!entry.getValue().chars().allMatch(c -> c >= ' ' && c <= '~')) {
                throw new IllegalArgumentException(
                        "attribute '" + entry.getKey() + "' may use only printable ASCII characters");
            }
            size += entry.getKey().length() + entry.getValue().length();
        }
        if (attributes.size() > MAX_ATTRIBUTES || size > MAX_ATTRIBUTE_TEXT) {
            throw new IllegalArgumentException("attributes may be " + MAX_ATTRIBUTES + " with " + MAX_ATTRIBUTE_TEXT
                    + " characters in all, are " + attributes.size() + " with " + size);
        }
        return new TreeMap<>(attributes);
    }

    /** Writes content and attributes. */
    public static final class Put extends Change {
        private final Content content;
        private final Map<String, String> attributes;

        private Put(String name, Condition condition, Content content, Map<String, String> attributes) {
            super(name, condition);
            this.content = content;
            this.attributes = java.util.Collections.unmodifiableMap(attributes);
        }

        /** Its bytes; not a copy. */
        public byte[] content() {
            return content.bytes();
        }

        /** The SHA-256 of its bytes, in hexadecimal digits. */
        public String sha256() {
            return content.sha256();
        }

        Content shared() {
            return content;
        }

        /** What is said about it. */
        public Map<String, String> attributes() {
            return attributes;
        }
    }

    /** Replaces the attributes. */
    public static final class Mark extends Change {
        private final Map<String, String> attributes;

        private Mark(String name, String tag, Map<String, String> attributes) {
            super(name, Condition.tagged(tag));
            this.attributes = java.util.Collections.unmodifiableMap(attributes);
        }

        /** What is said about it from now on. */
        public Map<String, String> attributes() {
            return attributes;
        }
    }

    /** Deletes it. */
    public static final class Delete extends Change {
        private Delete(String name, Condition condition) {
            super(name, condition);
        }
    }
}
