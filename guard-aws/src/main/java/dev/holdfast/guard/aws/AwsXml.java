package dev.holdfast.guard.aws;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * An answer of AWS, looked at by path. A document that declares a type is refused, and with it every way to make the reader fetch
 * or repeat something.
 */
record AwsXml(Element element) {
    static AwsXml of(String text) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
            factory.setXIncludeAware(false);
            factory.setExpandEntityReferences(false);
            factory.setNamespaceAware(true);
            DocumentBuilder builder = factory.newDocumentBuilder();
            builder.setErrorHandler(new DefaultHandler()); // the one that is there without it prints
            return new AwsXml(
                    builder.parse(new InputSource(new StringReader(text))).getDocumentElement());
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException("the answer is not the XML expected: " + e.getMessage(), e);
        }
    }

    List<AwsXml> all(String name) {
        List<AwsXml> found = new ArrayList<>();
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element inner && name.equals(inner.getLocalName())) {
                found.add(new AwsXml(inner));
            }
        }
        return found;
    }

    /** What is found by going down these names, taking the first each time. */
    Optional<AwsXml> at(String... path) {
        Optional<AwsXml> here = Optional.of(this);
        for (String name : path) {
            here = here.flatMap(xml -> xml.all(name).stream().findFirst());
        }
        return here;
    }

    /** The text there; empty if nothing is. */
    String text(String... path) {
        return at(path).map(found -> found.element.getTextContent().strip()).orElse("");
    }
}
