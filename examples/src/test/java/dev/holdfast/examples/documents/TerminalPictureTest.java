package dev.holdfast.examples.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The picture of a terminal in the README, which bin/terminal-picture draws. */
class TerminalPictureTest {
    private static final Path ROOT = Path.of("..");
    private static final String PICTURE = "docs/images/terminal.svg";
    private static final int MOST_BYTES = 40_000;

    /** What runs code, or is fetched from elsewhere. */
    private static final List<String> NOT_ALLOWED =
            List.of("<script", "<foreignObject", "<image", "href", "url(", "@import", "@font-face", " on");

    private static final Pattern PLACE = Pattern.compile("/(?:home|root|tmp|work|Users|var|opt|usr)/");

    @Test
    @DisplayName("is well-formed, small and nothing but text and shapes, and the README shows it")
    void form() throws Exception {
        String svg = Files.readString(ROOT.resolve(PICTURE));
        assertThat(parsed(svg).getDocumentElement().getNodeName()).isEqualTo("svg");
        assertThat(svg).hasSizeLessThan(MOST_BYTES);
        String drawing = svg.substring(svg.indexOf("</style>")).replaceAll(">[^<]*<", "><");
        assertThat(NOT_ALLOWED).noneMatch(drawing::contains);
        assertThat(svg).doesNotContain("url(", "@import", "@font-face");
        assertThat(Files.readString(ROOT.resolve("README.md"))).contains("(" + PICTURE + ")");
    }

    @Test
    @DisplayName("shows the session, and nothing of the machine it was drawn on")
    void neutral() throws Exception {
        String text = text(parsed(Files.readString(ROOT.resolve(PICTURE))));
        assertThat(text)
                .contains("holdfast exec", "waiting for ", "held by ci@runner", "holdfast ls", "holdfast explain shop")
                .doesNotContainPattern(PLACE)
                .doesNotContain("127.0.0.1", "localhost", "root@", "SLF4J", "Exception");
        String host = InetAddress.getLocalHost().getHostName();
        assertThat(text).doesNotContainPattern("(?<![\\w-])" + Pattern.quote(host) + "(?![\\w-])");
        assertThat(Pattern.compile("\\S+@\\S+")
                        .matcher(text)
                        .results()
                        .map(found -> found.group().replaceAll("[^\\w@]", "")))
                .allMatch(name -> List.of("ci@runner", "ada@laptop", "ops@desk").contains(name));
    }

    private static Document parsed(String svg) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    /** Line by line, as it is read. */
    private static String text(Document picture) {
        NodeList lines = picture.getElementsByTagName("text");
        StringBuilder text = new StringBuilder();
        IntStream.range(0, lines.getLength())
                .forEach(i -> text.append(words(lines.item(i).getChildNodes())).append('\n'));
        return text.toString();
    }

    private static String words(NodeList spans) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < spans.getLength(); i++) {
            line.append(spans.item(i).getTextContent());
        }
        return line.toString();
    }
}
