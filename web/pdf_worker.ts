/** The worker that reads PDFs: a file of its own, because the pages load it by its address. */
import "pdfjs-dist/build/pdf.worker.mjs";
