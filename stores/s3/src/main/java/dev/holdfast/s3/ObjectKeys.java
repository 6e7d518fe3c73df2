package dev.holdfast.s3;

import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.model.RecordKey;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * The key of a lock's object: {@code prefix namespace/name}.
 *
 * <p>Letters, digits, {@code _ - . : = @} and most other scripts stay as they are; any other character becomes {@code !} and two hex
 * digits for each of its bytes. So names can be read, no two become one, none has a slash (some servers cannot keep both {@code
 * a} and {@code a/b}), and each begins as any of its beginnings does. A name too long for a key goes on, after as much of it as there
 * is room for, with {@code !~} and its SHA-256.
 */
record ObjectKeys(String prefix) {
    /** A key has 1024 bytes; the prefix may take 256 of them, the namespace 67. */
    private static final int MAX_NAME = 640;
    /** How much of a longer name stays. */
    private static final int HEAD = 560;

    private static final String ALSO_PLAIN = "_-.:=@";
    /**
     * From, to: other scripts, without signs, marks and emoji. Fixed here and for ever: what Java takes for a letter grows with
     * its version, and two processes must never disagree about the object of a lock.
     */
    private static final int[] SCRIPTS = {0x00C0, 0x02FF, 0x0370, 0x1FFF, 0x3040, 0xD7FF};

    private static final String LONG = "!~";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    String of(RecordKey key) {
        String name = encoded(key.name());
        if (bytes(name) > MAX_NAME) {
            name = head(name) + LONG + Sha256.of(key.name().getBytes(StandardCharsets.UTF_8));
        }
        return inNamespace(key.namespace()) + name;
    }

    /** What the keys of all locks begin with. */
    String all() {
        return prefix;
    }

    /** What the keys of all locks in a namespace begin with. */
    String inNamespace(String namespace) {
        return prefix + encoded(namespace) + "/";
    }

    /** What the keys of locks whose names begin so begin with; those of some others may too. */
    String startingWith(String namespace, String start) {
        String name = encoded(start);
        return inNamespace(namespace) + (bytes(name) > HEAD ? head(name) : name);
    }

    /** A key no lock has: namespaces that begin with a dot do so in another way. */
    String probe(String unique) {
        return prefix + ".probe/" + unique;
    }

    /** Whether it can be the key of a lock: documents, which may be beside them, mostly have more segments. */
    boolean isLock(String key) {
        String rest = key.substring(Math.min(prefix.length(), key.length()));
        int slash = rest.indexOf('/');
        return !rest.startsWith(".") && slash > 0 && slash == rest.lastIndexOf('/');
    }

    private static String encoded(String name) {
        StringBuilder text = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); ) {
            int c = name.codePointAt(i);
            if (isPlain(c) && !(c == '.' && i == 0)) { // "." and ".." mean something else in paths
                text.appendCodePoint(c);
            } else {
                for (byte one : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
                    text.append('!').append(HEX.toHexDigits(one));
                }
            }
            i += Character.charCount(c);
        }
        return text.toString();
    }

    private static boolean isPlain(int c) {
        if (c < 0x80) {
            return (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || ALSO_PLAIN.indexOf(c) >= 0;
        }
        for (int i = 0; i < SCRIPTS.length; i += 2) {
            if (c >= SCRIPTS[i] && c <= SCRIPTS[i + 1]) {
                return true;
            }
        }
        return false;
    }

    /** As many whole characters as there is room for; an escape may be cut, in the same place for all names that begin so. */
    private static String head(String encoded) {
        int size = 0;
        for (int i = 0; i < encoded.length(); ) {
            int c = encoded.codePointAt(i);
            size += bytes(Character.toString(c));
            if (size > HEAD) {
                return encoded.substring(0, i);
            }
            i += Character.charCount(c);
        }
        return encoded;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
