package dev.holdfast.documents.file;

import dev.holdfast.documents.DocumentFactory;
import dev.holdfast.documents.DocumentStore;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Opens {@code file:directory}: the path is taken as it stands, relative to the working directory. */
public final class FileDocumentFactory implements DocumentFactory {
    private static final String SCHEME = "file:";

    @Override
    public boolean accepts(String url) {
        return url.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    }

    @Override
    public String example() {
        return "file:./documents";
    }

    @Override
    public DocumentStore open(String url) {
        String path = url.substring(SCHEME.length());
        if (path.startsWith("///")) {
            path = path.substring(2); // as browsers write it
        }
        if (path.isEmpty() || path.startsWith("//")) {
            throw new IllegalArgumentException("file: needs the path of a directory, such as file:./documents or"
                    + " file:/var/lib/app/documents");
        }
        try {
            return FileDocuments.open(Path.of(path));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("path '" + path + "' is not a valid path here: " + e.getReason(), e);
        }
    }
}
